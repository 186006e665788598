/** A request to another server failed: its address is not allowed, or no complete answer came in time. */
export class OutboundFailure extends Error {
  override readonly name = 'OutboundFailure'
}
