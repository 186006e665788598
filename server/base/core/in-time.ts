/** The work took longer than it may. */
export class NotInTime extends Error {
  override readonly name = 'NotInTime'
}

/**
 * What the work comes to, if that is known within so many milliseconds; the work goes on in any case. A plain timer,
 * because ending one by an `AbortSignal` costs more than a command to Redis.
 * @throws NotInTime
 */
export function inTime<T>(work: Promise<T>, milliseconds: number): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new NotInTime(`no answer within ${milliseconds} ms`)), milliseconds)
    work.then(resolve, reject).finally(() => clearTimeout(timer))
  })
}
