/** Work that something else has to end before: it is tried again until then, however long that takes. */
export class NotYet extends Error {
  override readonly name: string = 'NotYet'
}
