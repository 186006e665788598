const MINUTES_PER_HOUR = 60

/** Formats an instant as clock time on this machine, with its offset: `15:14 (UTC+01:00)`. */
export function clockTime(epochMs: number): string {
  const time = new Date(epochMs)
  const offset = -time.getTimezoneOffset()
  const sign = offset < 0 ? '-' : '+'
  return `${hoursMinutes(time.getHours() * MINUTES_PER_HOUR + time.getMinutes())} (UTC${sign}${hoursMinutes(Math.abs(offset))})`
}

function hoursMinutes(minutes: number): string {
  const parts = [Math.floor(minutes / MINUTES_PER_HOUR), minutes % MINUTES_PER_HOUR]
  return parts.map((part) => String(part).padStart(2, '0')).join(':')
}
