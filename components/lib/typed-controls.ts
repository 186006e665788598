export type Control = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement

const typed = new Set<Control>()

/** Begins to notice what is typed. Returns what ends it. */
export function watchTyping(): () => void {
  window.addEventListener('input', noteTyping, true)
  return () => window.removeEventListener('input', noteTyping, true)
}

function noteTyping({ target }: Event): void {
  if (target !== null && 'form' in target) typed.add(target as Control)
}

/** Those that something was typed into and that are still on the page. */
export const typedControls = (): Control[] => [...typed].filter((control) => control.isConnected)
