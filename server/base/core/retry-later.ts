/** Work that another server puts off: it is tried again, but not before so many seconds. */
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
