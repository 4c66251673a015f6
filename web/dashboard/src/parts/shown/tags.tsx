import { Link } from "@tanstack/react-router";
import { useHere } from "../../data/here.tsx";

interface TagsProps {
  tags: readonly { name: string; value: string }[];
  /** The list that they filter. */
  path: string;
}

/** A message's tags. Each links to the other messages that have it. */
export function Tags({ tags, path }: TagsProps) {
  const here = useHere();
  return (
    <span className="line" translate="no">
      {tags.map(({ name, value }) => (
        <Link key={`${name}:${value}`} to={here.to(path)} search={{ tag: `${name}:${value}` } as never}>
          {name}:{value}
        </Link>
      ))}
    </span>
  );
}
