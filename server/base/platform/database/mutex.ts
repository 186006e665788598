/**
 * Runs one task at a time, in order of arrival; refuses a task that has waited too long. A task that has waited begins
 * in a new turn of the event loop, because tasks without input or output would otherwise all run in one turn, and until
 * the last has ended the process would neither accept a connection nor read a request.
 */
export class Mutex {
  #busy = false
  readonly #waiting: { proceed: () => void }[] = []

  constructor(
    private readonly maxWaitMilliseconds: number,
    private readonly refusal: () => Error,
  ) {}

  async run<T>(task: () => Promise<T>): Promise<T> {
    if (this.#busy) await this.#wait()
    this.#busy = true
    try {
      return await task()
    } finally {
      const next = this.#waiting.shift()
      if (next) next.proceed()
      else this.#busy = false
    }
  }

  #wait(): Promise<void> {
    return new Promise((resolve, reject) => {
      const entry = {
        proceed: () => {
          clearTimeout(timer)
          setImmediate(resolve)
        },
      }
      const timer = setTimeout(() => {
        this.#waiting.splice(this.#waiting.indexOf(entry), 1)
        reject(this.refusal())
      }, this.maxWaitMilliseconds)
      this.#waiting.push(entry)
    })
  }
}
