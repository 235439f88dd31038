/** JSON whose members tests reach into; its shape is checked elsewhere. */
// oxlint-disable-next-line typescript/no-explicit-any
export type Json = Record<string, any>;
