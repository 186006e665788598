/** Thrown by a job that must wait for other work; it is tried again without counting the attempt. */
export class NotYet extends Error {
  override readonly name: string = 'NotYet'
}
