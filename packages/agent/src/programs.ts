/*
 * The first arguments that make the command run a part of the agent.
 */

export const RECEIVER = "--receiver";
export const CONVERTER = "--converter";
