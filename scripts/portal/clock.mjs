/**
 * Preloaded (`node --import`) into a server that runs with another time: its clock starts at CLOCK_START, runs at the
 * usual speed, and is set when the parent process sends an instant.
 */
const RealDate = globalThis.Date
let offset = RealDate.parse(process.env.CLOCK_START ?? '') - RealDate.now()
const now = () => RealDate.now() + offset

globalThis.Date = new Proxy(RealDate, {
  construct: (target, args, newTarget) => Reflect.construct(target, args.length === 0 ? [now()] : args, newTarget),
  apply: () => new RealDate(now()).toString(),
  get: (target, name) => (name === 'now' ? now : Reflect.get(target, name)),
})

process.on('message', (instant) => {
  offset = instant - RealDate.now()
  process.send?.(instant)
})
process.channel?.unref()
