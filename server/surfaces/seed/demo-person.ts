/** The sandbox's built-in person. A file without imports, so that the demo can read it without the service. */
export const demoPerson = {
  id: 'demo-ada',
  email: 'ada@demo.test',
  displayName: 'Ada',
  card: 'success',
  limits: { dailyCapMinor: 5_000, singleTxnCapMinor: 2_000, currency: 'EUR' },
} as const
