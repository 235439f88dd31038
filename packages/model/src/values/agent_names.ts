/** The names of agents. */
export const AGENT_NAME = /^[a-z0-9][a-z0-9-]{0,62}$/;

/** What {@link AGENT_NAME} accepts, in words. */
export const AGENT_NAME_FORM = "a lower-case letter or a digit, then at most 62 of these and hyphens";

/** The message for a name that {@link AGENT_NAME} does not accept. */
export const NOT_AN_AGENT_NAME = `Expected ${AGENT_NAME_FORM}.`;
