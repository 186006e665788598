import { createHmac } from 'node:crypto'

interface Signing {
  readonly secret: string
  readonly now: Date
}

/**
 * Returns a signature in the form in which the card processor and the phone service send it with a body:
 * `t=<seconds>,v1=<hex>`.
 */
export function timedSignature(body: string | Buffer, { secret, now }: Signing): string {
  const time = Math.floor(now.getTime() / 1000)
  return `t=${time},v1=${createHmac('sha256', secret).update(`${time}.`).update(body).digest('hex')}`
}
