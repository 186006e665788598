/** Returns the milliseconds since a time of `performance.now()`, to a tenth. */
export const millisecondsSince = (startedAt: number): number => Math.round((performance.now() - startedAt) * 10) / 10

/** Returns the seconds since a time of `performance.now()`. */
export const secondsSince = (startedAt: number): number => (performance.now() - startedAt) / 1_000
