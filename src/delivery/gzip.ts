/** Bytes, compressed as gzip (RFC 1952). */
export async function gzip(bytes: Uint8Array): Promise<Uint8Array> {
  const compressed = new Blob([bytes]).stream().pipeThrough(new CompressionStream("gzip"));
  return new Uint8Array(await new Response(compressed).arrayBuffer());
}
