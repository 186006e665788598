/** Puts a member into the address of the page, or takes it out. Nothing is loaded, and it is no place to go back to. */
export function showInAddress(name: string, value: string | null): void {
  const url = new URL(window.location.href)
  if (value === null) url.searchParams.delete(name)
  else url.searchParams.set(name, value)
  window.history.replaceState(null, '', url)
}
