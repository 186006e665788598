/** Next calls this once per process, before any request: the one place where the service is put together. */
export async function register(): Promise<void> {
  if (process.env['NEXT_RUNTIME'] !== 'nodejs') return
  const { boot } = await import('./server/boot')
  await boot()
}
