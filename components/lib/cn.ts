import { type ClassValue, clsx } from 'clsx'

/** Joins class names. Nothing decides between two classes for the same property, so a variant is the way to change one. */
export function cn(...classes: ClassValue[]): string {
  return clsx(classes)
}
