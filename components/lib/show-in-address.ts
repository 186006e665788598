/** Sets or removes a query parameter of the page's address, without a request and without a new history entry. */
export function showInAddress(name: string, value: string | null): void {
  const url = new URL(window.location.href)
  if (value === null) url.searchParams.delete(name)
  else url.searchParams.set(name, value)
  window.history.replaceState(null, '', url)
}
