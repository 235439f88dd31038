/** The texts of traffic policies that somebody has begun to edit, by the path of their objects: they outlast a look at another page. */
export const drafts = new Map<string, string>();
