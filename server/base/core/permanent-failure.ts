/** Thrown when work failed and no retry can succeed: a number that does not exist, a malformed request. */
export class PermanentFailure extends Error {
  override readonly name: string = 'PermanentFailure'
}
