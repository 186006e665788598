/** Thrown when another server asks to wait: the work is tried again, but not before so many seconds. */
export class RetryLater extends Error {
  override readonly name: string = 'RetryLater'
  constructor(
    message: string,
    readonly seconds: number,
    options?: ErrorOptions,
  ) {
    super(message, options)
  }
}
