import { useRef } from "preact/hooks";

/**
 * Returns the headers of a form's creation. They have the same `Idempotency-Key` as long as the body is the same: if a response is lost, the
 * next attempt creates nothing more.
 */
export function useCreation(): (body: object) => { "Idempotency-Key": string } {
  const last = useRef({ text: "", key: "" });
  return (body) => {
    const text = JSON.stringify(body);
    if (last.current.text !== text) last.current = { text, key: crypto.randomUUID() };
    return { "Idempotency-Key": last.current.key };
  };
}
