/** Whether this is one line that reads as it is written: control and override characters could make it look like another. */
export function isPlainLine(value: string): boolean {
  return value.isWellFormed() && !/[\p{Cc}\u202a-\u202e\u2066-\u2069]/u.test(value)
}
