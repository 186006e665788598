import { cn } from '@/components/lib/cn'

interface QrCodeProps {
  readonly svg: string
  readonly alt: string
  /** The size and the padding, where these are not the usual. */
  readonly className?: string
}

/** Shows a QR code on white in every theme, since cameras need dark on light. */
export function QrCode({ svg, alt, className }: QrCodeProps) {
  return (
    <img
      alt={alt}
      src={`data:image/svg+xml,${encodeURIComponent(svg)}`}
      className={cn('size-64 rounded-control border border-line bg-[#fff] p-2', className)}
    />
  )
}
