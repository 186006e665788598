/**
 * Returns the result of the work, or throws an `Error` when it takes more than this many milliseconds; the work itself is
 * not stopped. Uses a plain timer, because cancelling one by an `AbortSignal` costs more than a command to Redis.
 */
export function inTime<T>(work: Promise<T>, milliseconds: number): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(`no answer within ${milliseconds} ms`)), milliseconds)
    work.then(resolve, reject).finally(() => clearTimeout(timer))
  })
}
