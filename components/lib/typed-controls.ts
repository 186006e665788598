export type Control = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement

const typed = new Set<Control>()

/** Starts to record which controls are typed into. Returns a function that stops it. */
export function watchTyping(): () => void {
  window.addEventListener('input', noteTyping, true)
  return () => window.removeEventListener('input', noteTyping, true)
}

function noteTyping({ target }: Event): void {
  if (target !== null && 'form' in target) typed.add(target as Control)
}

/** Returns the controls that were typed into and are still on the page. */
export const typedControls = (): Control[] => [...typed].filter((control) => control.isConnected)

/** Sets a control's text as if the reader had typed or chosen it, so that React notices. */
export function typeInto(control: Control, text: string): void {
  // A field reports text that was typed before the page worked, before there is a listener for it.
  typed.add(control)
  // React replaces the control's own setter to know what it has set itself, so the prototype's is used.
  Reflect.set(Object.getPrototypeOf(control), 'value', text, control)
  control.dispatchEvent(new Event(changeOf(control), { bubbles: true }))
}

/** Returns the event that reports a new value of the control. */
export const changeOf = (control: Control): 'change' | 'input' =>
  control instanceof HTMLSelectElement ? 'change' : 'input'
