/**
 * Preloaded into a server that is to believe in another time (`node --import`): it starts at CLOCK_START, and goes to
 * whatever instant the parent process names. Time passes as it does everywhere.
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
