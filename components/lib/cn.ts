import { type ClassValue, clsx } from 'clsx'
import { extendTailwindMerge } from 'tailwind-merge'

const merge = extendTailwindMerge({
  extend: { theme: { text: ['display'], radius: ['control', 'card'], shadow: ['card', 'overlay'] } },
})

/** Joins class names; of two Tailwind classes for the same property the later wins. */
export function cn(...classes: ClassValue[]): string {
  return merge(clsx(classes))
}
