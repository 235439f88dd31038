/** Characters that nobody sees, or that change what others look like. */
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

/** A text of somebody else, as it can be shown: characters that could mislead are replaced. */
export const visible = (text: string): string => text.toWellFormed().replaceAll(INVISIBLE, "\u{FFFD}");
