/** The product's sign, as public/icon.svg has it for tabs of browsers; drawn here, since a picture would be one more request before the first page. */
export function Emblem({ size, className }: { size: number; className?: string | undefined }) {
  return (
    <svg viewBox="0 0 20 20" width={size} height={size} className={className} aria-hidden="true">
      <rect width="20" height="20" rx="5" fill="#191a1e" />
      <path
        d="M4 10.5l2.5 2.5L12 7M9.5 12.5l.5.5L16 7"
        fill="none"
        stroke="#fff"
        strokeWidth="1.8"
        strokeLinecap="round"
        strokeLinejoin="round"
      />
    </svg>
  );
}
