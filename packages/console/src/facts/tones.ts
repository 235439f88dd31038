/** What a colour means: red gets nothing, amber waits or gets a part, blue is at work, grey is not known or switched off. */
export type StateTone = "good" | "warn" | "bad" | "busy" | "none";

/** The shape of a state, so that colour is never alone. */
export type StateSign = "tick" | "half" | "cross" | "triangle" | "dotted" | "quarter" | "off";
