import { LoaderCircle } from 'lucide-react'

export function Spinner() {
  return <LoaderCircle aria-hidden className="animate-spin motion-reduce:animate-none" />
}
