import { type ComponentProps, type Ref, type RefObject, useEffect, useImperativeHandle, useRef, useState } from 'react'
import { type Control, typeInto } from '@/components/lib/typed-controls'

/**
 * Replays input typed before hydration, which React would not notice: the page would show one value and use another.
 * Returns a ref for the control, which also sets the caller's own.
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
    // React only sees a change when the value differs from the one that it set itself.
    current.value = String(first)
    typeInto(current, typed)
  }, [first])
  return control
}
