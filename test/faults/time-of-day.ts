/** The time of the harness, and the wrong one that its servers may go by. */
export class TimeOfDay {
  #offset: number
  #error = 0
  #highest: number
  readonly #listeners = new Set<() => void>()

  constructor(start: Date) {
    this.#offset = start.getTime() - Date.now()
    this.#highest = this.#offset
  }

  /** What the servers' clocks show, and what those go by who talk to them. */
  readonly now = (): Date => new Date(Date.now() + this.offsetMilliseconds)

  /** What it really is, as the processor knows: it never runs back. */
  readonly truth = (): Date => new Date(Date.now() + this.#offset)

  get offsetMilliseconds(): number {
    return this.#offset + this.#error
  }

  /** Called whenever the servers are to show another time. */
  onJump(listener: () => void): void {
    this.#listeners.add(listener)
  }

  /** Time passes, for everybody. */
  jump(milliseconds: number): void {
    this.#set(this.#offset + milliseconds)
  }

  /** Time passes until then. */
  set(instant: Date): void {
    this.#set(instant.getTime() - Date.now())
  }

  /** The servers' clocks are wrong by so much, all in the same way. */
  mislead(milliseconds: number): void {
    this.#error = milliseconds
    this.#tell()
  }

  /** Remembers what some server's clock shows. */
  noteShown(offset: number): void {
    this.#highest = Math.max(this.#highest, offset)
  }

  /** All clocks are right, and it is as late as any has ever shown: what was left for later is due then. */
  catchUp(): void {
    this.#error = 0
    this.#set(this.#highest)
  }

  #set(offset: number): void {
    this.#offset = offset
    this.#tell()
  }

  #tell(): void {
    this.noteShown(this.offsetMilliseconds)
    for (const listener of this.#listeners) listener()
  }
}
