/**
 * Sets or removes a query parameter of the page's address, without a request and without a new history entry: for what
 * changes with each key.
 */
export function showInAddress(name: string, value: string | null): void {
  window.history.replaceState(null, '', addressWith(name, value))
}

/** Does so with a new history entry, so that the back button leads back to the view before. */
export function goInAddress(name: string, value: string | null): void {
  window.history.pushState(null, '', addressWith(name, value))
}

function addressWith(name: string, value: string | null): URL {
  const url = new URL(window.location.href)
  if (value === null) url.searchParams.delete(name)
  else url.searchParams.set(name, value)
  return url
}
