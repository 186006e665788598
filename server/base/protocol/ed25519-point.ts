const PRIME = 2n ** 255n - 19n

/** The y coordinates of the points whose order divides 8. With such a key one signature is valid for many messages. */
const WEAK_Y: ReadonlySet<bigint> = new Set([
  0n,
  1n,
  PRIME - 1n,
  0x05fc536d880238b13933c6d305acdfd5f098eff289f4c345b027b2c28f95e826n,
  0x7a03ac9277fdc74ec6cc392cfa53202a0f67100d760b3cba4fd84d3d706a17c7n,
])

const Y_BITS = 255

/**
 * Whether 32 bytes encode a point canonically (y less than p) that is of large order. The top bit is the sign of x.
 *
 * @see {@link https://www.rfc-editor.org/rfc/rfc8032#section-5.1.3}
 */
export function isStrongPoint(point: Buffer): boolean {
  const y = BigInt.asUintN(Y_BITS, BigInt(`0x${Buffer.from(point).reverse().toString('hex')}`))
  return y < PRIME && !WEAK_Y.has(y)
}
