/** The person in whose name the sandbox is tried out. Plain facts, so that the demo can read them without the service. */
export const demoPerson = {
  id: 'demo-ada',
  email: 'ada@demo.test',
  displayName: 'Ada',
  card: 'success',
  limits: { dailyCapMinor: 5_000, singleTxnCapMinor: 2_000, currency: 'EUR' },
} as const
