/** Work that failed in a way that trying again cannot cure: a number that does not exist, a request that is malformed. */
export class PermanentFailure extends Error {
  override readonly name: string = 'PermanentFailure'
}
