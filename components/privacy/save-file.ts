/** How long the file stays available for the browser to begin saving it. */
const SAVING_MILLISECONDS = 60_000

/** Saves a JSON text as a file in the browser. */
export function saveFile({ name, json }: { readonly name: string; readonly json: string }): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(new Blob([json], { type: 'application/json' }))
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(link.href), SAVING_MILLISECONDS)
}
