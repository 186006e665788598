/** Writes one JSON line to stderr. stdout belongs to the tool protocol. Callers pass no tokens, arguments or answers. */
export function log(message: string, fields: Readonly<Record<string, string | number | undefined>> = {}): void {
  process.stderr.write(`${JSON.stringify({ time: new Date().toISOString(), message, ...fields })}\n`)
}
