/**
 * Writes one JSON line to stderr, since stdout is used by the tool protocol. Callers pass no tokens, arguments or
 * results.
 */
export function log(message: string, fields: Readonly<Record<string, string | number | undefined>> = {}): void {
  process.stderr.write(`${JSON.stringify({ time: new Date().toISOString(), message, ...fields })}\n`)
}
