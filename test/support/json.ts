/** JSON whose fields tests access directly; its shape is checked elsewhere. */
// oxlint-disable-next-line typescript/no-explicit-any
export type Json = Record<string, any>;
