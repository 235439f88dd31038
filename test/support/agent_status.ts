/** What the service returns of an agent that serves one edge, at the newest version. Tests add the name and the time of the last report. */
export const agentStatus = {
  uri: "",
  key: null,
  applied_version: 5,
  newest_version: 5,
  behind: 0,
  behind_since: null,
  ok: true,
  error: null,
  problems: [],
  proxy: "HAProxy",
  edges: { served: 1, partly: 0, not_served: 0, not_wanted: 0 },
};
