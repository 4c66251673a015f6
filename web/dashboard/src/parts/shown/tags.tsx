import { Link } from "@tanstack/react-router";
import { useHere } from "../../data/here.tsx";

interface TagsProps {
  tags: readonly { name: string; value: string }[];
  /** The list that is narrowed by them. */
  path: string;
}

/** A message's tags. Each leads to the messages that have it too. */
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
