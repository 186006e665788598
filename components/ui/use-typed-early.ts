import { type ComponentProps, type Ref, type RefObject, useEffect, useImperativeHandle, useRef, useState } from 'react'
import { type Control, typeInto } from '@/components/lib/typed-controls'

/**
 * A reader may type or choose before the page works. React leaves it in the control and tells nobody, so that the page would
 * show one thing and mean another; this tells it once the control works. Returns the control's ref, beside the caller's own.
 */
export function useTypedEarly<C extends Control>(
  value: ComponentProps<'input'>['value'],
  ref: Ref<C> | undefined,
): RefObject<C | null> {
  const control = useRef<C>(null)
  const [first] = useState(value)
  useImperativeHandle<C | null, C | null>(ref, () => control.current)
  useEffect(() => {
    const { current } = control
    if (current === null || first === undefined) return
    const { value: typed } = current
    if (typed === String(first)) return
    // Only what differs from what React has set itself is a change to it.
    current.value = String(first)
    typeInto(current, typed)
  }, [first])
  return control
}
