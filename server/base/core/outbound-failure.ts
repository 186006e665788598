/** Another server could not be asked: its address is not allowed, or no whole answer came in time. */
export class OutboundFailure extends Error {
  override readonly name = 'OutboundFailure'
}
