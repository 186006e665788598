import { writeFileSync } from 'node:fs'
import { encodeQR } from 'qr'
import { CommandError } from '../operator-client'

/** Returns the QR code of an offer, for a terminal or as SVG. It contains only the link, never the transaction code. */
export function drawQrCode({ qr_payload: payload }: Readonly<Record<string, unknown>>, as: 'ascii' | 'svg'): string {
  const text = String(payload)
  if (as === 'svg') return encodeQR(text, 'svg', { ecc: 'low' })
  return encodeQR(text, 'ascii', { ecc: 'low', border: 1 }).trimEnd()
}

/**
 * Writes the QR code of an offer to a file that only its owner may read, since the link gives access to a credential.
 */
export function writeQrCode(path: string, answer: unknown): void {
  try {
    writeFileSync(path, drawQrCode(answer as Readonly<Record<string, unknown>>, 'svg'), { mode: 0o600 })
  } catch (cause) {
    throw new CommandError(`${path} cannot be written.`, { cause })
  }
}
