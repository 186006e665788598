import { type ClassValue, clsx } from 'clsx'

/** Joins class names. Two classes for the same property are not resolved; use a variant to change one. */
export function cn(...classes: ClassValue[]): string {
  return clsx(classes)
}
