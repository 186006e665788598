import { writeFileSync } from 'node:fs'
import { encodeQR } from 'qr'
import { CommandError } from '../operator-client'

/** The QR code of an offer, for a terminal or as SVG. It holds the link alone, never the transaction code. */
export function drawQrCode({ qr_payload: payload }: Readonly<Record<string, unknown>>, as: 'ascii' | 'svg'): string {
  const text = String(payload)
  if (as === 'svg') return encodeQR(text, 'svg', { ecc: 'low' })
  return encodeQR(text, 'ascii', { ecc: 'low', border: 1 }).trimEnd()
}

/** Writes the QR code of an offer, which its owner alone may read: the link is worth a credential. */
export function writeQrCode(path: string, answer: unknown): void {
  try {
    writeFileSync(path, drawQrCode(answer as Readonly<Record<string, unknown>>, 'svg'), { mode: 0o600 })
  } catch (cause) {
    throw new CommandError(`${path} cannot be written.`, { cause })
  }
}
