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

/** Puts a text into a control as if the reader had typed or chosen it, so that React notices. */
export function typeInto(control: Control, text: string): void {
  // What was typed before the page worked is told by the field, sooner than anything listens.
  typed.add(control)
  // The prototype's setter, since React replaces the control's own to know what it has set itself.
  Reflect.set(Object.getPrototypeOf(control), 'value', text, control)
  control.dispatchEvent(new Event(changeOf(control), { bubbles: true }))
}

/** The event that says that a control holds something else. */
export const changeOf = (control: Control): 'change' | 'input' =>
  control instanceof HTMLSelectElement ? 'change' : 'input'
