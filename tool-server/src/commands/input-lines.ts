const NEWLINE = 0x0a

/**
 * Yields the whole lines of an input, each with its end. A line longer than `maxBytes` is skipped while it arrives, so
 * that never more than one line and one chunk is held; so is a last line without an end.
 */
export async function* inputLines(
  input: AsyncIterable<Buffer>,
  { maxBytes, onSkipped }: { readonly maxBytes: number; readonly onSkipped: () => void },
): AsyncGenerator<Buffer> {
  let parts: Buffer[] = []
  let length = 0
  for await (const chunk of input) {
    let from = 0
    while (from < chunk.length) {
      const end = chunk.indexOf(NEWLINE, from)
      const part = chunk.subarray(from, end === -1 ? chunk.length : end + 1)
      from += part.length
      length += part.length
      if (length <= maxBytes) parts.push(part)
      else parts = []
      if (end === -1) continue
      if (length <= maxBytes) yield Buffer.concat(parts)
      else onSkipped()
      parts = []
      length = 0
    }
  }
}
